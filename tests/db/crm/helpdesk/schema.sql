-- The tables of a help desk as its own installation makes them: text keys, accounts instead of tenants, words of its
-- own for states, no row-level security. Velo only reads them.

CREATE SCHEMA helpdesk;

CREATE TABLE helpdesk.accounts (
    key text PRIMARY KEY,
    title text NOT NULL
);

CREATE TABLE helpdesk.organisations (
    key text PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    trading_name text NOT NULL,
    tax_code text,
    town text,
    opened timestamptz NOT NULL DEFAULT now(),
    touched timestamptz NOT NULL DEFAULT now(),
    removed timestamptz
);
CREATE INDEX ON helpdesk.organisations (account, touched);

CREATE TABLE helpdesk.people (
    key text PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    given text NOT NULL,
    family text,
    nicknames jsonb NOT NULL DEFAULT '[]',
    papers jsonb NOT NULL DEFAULT '{}',
    organisation text REFERENCES helpdesk.organisations,
    stage text NOT NULL DEFAULT 'customer' CHECK (stage IN ('prospect', 'customer', 'dormant')),
    opened timestamptz NOT NULL DEFAULT now(),
    touched timestamptz NOT NULL DEFAULT now(),
    last_heard timestamptz,
    removed timestamptz,
    absorbed_by text REFERENCES helpdesk.people
);
CREATE INDEX ON helpdesk.people (account, touched);

CREATE TABLE helpdesk.reach (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    person text NOT NULL REFERENCES helpdesk.people ON DELETE CASCADE,
    way text NOT NULL CHECK (way IN ('phone', 'mail')),
    address text NOT NULL,
    is_main boolean NOT NULL DEFAULT false,
    touched timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON helpdesk.reach (person);
CREATE INDEX ON helpdesk.reach (account, touched);

CREATE TABLE helpdesk.agents (
    account text NOT NULL REFERENCES helpdesk.accounts,
    login text NOT NULL,
    given text NOT NULL,
    family text,
    mail text,
    duty text NOT NULL DEFAULT 'clerk' CHECK (duty IN ('clerk', 'lead', 'owner')),
    suspended boolean NOT NULL DEFAULT false,
    opened timestamptz NOT NULL DEFAULT now(),
    touched timestamptz NOT NULL DEFAULT now(),
    removed timestamptz,
    PRIMARY KEY (account, login)
);
CREATE INDEX ON helpdesk.agents (account, touched);

CREATE TABLE helpdesk.channels (
    account text NOT NULL REFERENCES helpdesk.accounts,
    code text NOT NULL,
    label text NOT NULL,
    medium text NOT NULL DEFAULT 'chat' CHECK (medium IN ('wa', 'mail', 'chat', 'voice')),
    paused boolean NOT NULL DEFAULT false,
    touched timestamptz NOT NULL DEFAULT now(),
    removed timestamptz,
    PRIMARY KEY (account, code)
);

CREATE TABLE helpdesk.channel_agents (
    account text NOT NULL,
    channel text NOT NULL,
    agent text NOT NULL,
    PRIMARY KEY (account, channel, agent),
    FOREIGN KEY (account, channel) REFERENCES helpdesk.channels,
    FOREIGN KEY (account, agent) REFERENCES helpdesk.agents
);
CREATE INDEX ON helpdesk.channel_agents (account, agent);

CREATE TABLE helpdesk.tickets (
    ref text PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    person text NOT NULL REFERENCES helpdesk.people ON DELETE CASCADE,
    channel text,
    handler text,
    phase text NOT NULL DEFAULT 'fresh' CHECK (phase IN ('fresh', 'working', 'parked', 'asleep', 'closed')),
    urgency smallint NOT NULL DEFAULT 2 CHECK (urgency BETWEEN 1 AND 4),
    topic text,
    opened timestamptz NOT NULL DEFAULT now(),
    touched timestamptz NOT NULL DEFAULT now(),
    last_post timestamptz,
    unanswered_since timestamptz,
    closed timestamptz,
    removed timestamptz,
    FOREIGN KEY (account, channel) REFERENCES helpdesk.channels,
    FOREIGN KEY (account, handler) REFERENCES helpdesk.agents
);
CREATE INDEX ON helpdesk.tickets (account, touched);
CREATE INDEX ON helpdesk.tickets (person);
CREATE INDEX ON helpdesk.tickets (account, channel);
CREATE INDEX ON helpdesk.tickets (account, handler);

CREATE TABLE helpdesk.posts (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticket text NOT NULL REFERENCES helpdesk.tickets ON DELETE CASCADE,
    side text NOT NULL DEFAULT 'customer' CHECK (side IN ('customer', 'desk', 'robot')),
    agent text,
    content text NOT NULL,
    internal boolean NOT NULL DEFAULT false,
    posted timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON helpdesk.posts (ticket, posted);

CREATE TABLE helpdesk.tags (
    account text NOT NULL REFERENCES helpdesk.accounts,
    slug text NOT NULL,
    label text NOT NULL,
    PRIMARY KEY (account, slug)
);

CREATE TABLE helpdesk.person_tags (
    account text NOT NULL,
    person text NOT NULL REFERENCES helpdesk.people ON DELETE CASCADE,
    tag text NOT NULL,
    PRIMARY KEY (account, person, tag),
    FOREIGN KEY (account, tag) REFERENCES helpdesk.tags
);

CREATE TABLE helpdesk.ticket_tags (
    account text NOT NULL,
    ticket text NOT NULL REFERENCES helpdesk.tickets ON DELETE CASCADE,
    tag text NOT NULL,
    PRIMARY KEY (account, ticket, tag),
    FOREIGN KEY (account, tag) REFERENCES helpdesk.tags
);

CREATE TABLE helpdesk.remarks (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    person text NOT NULL REFERENCES helpdesk.people ON DELETE CASCADE,
    agent text,
    content text NOT NULL,
    written timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON helpdesk.remarks (person, written);

CREATE TABLE helpdesk.mailings (
    key text PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    label text NOT NULL,
    medium text NOT NULL DEFAULT 'mail' CHECK (medium IN ('wa', 'mail', 'chat', 'voice')),
    stage text NOT NULL DEFAULT 'planned' CHECK (stage IN ('planned', 'going', 'halted', 'over')),
    from_day date,
    to_day date,
    figures jsonb NOT NULL DEFAULT '{}',
    touched timestamptz NOT NULL DEFAULT now(),
    removed timestamptz
);
CREATE INDEX ON helpdesk.mailings (account, touched);

CREATE TABLE helpdesk.opportunities (
    key text PRIMARY KEY,
    account text NOT NULL REFERENCES helpdesk.accounts,
    person text REFERENCES helpdesk.people ON DELETE CASCADE,
    organisation text REFERENCES helpdesk.organisations,
    agent text,
    label text NOT NULL DEFAULT '',
    step text NOT NULL DEFAULT 'spotted' CHECK (step IN ('spotted', 'qualified', 'offered', 'won', 'lost')),
    worth_cents bigint,
    money text,
    due date,
    opened timestamptz NOT NULL DEFAULT now(),
    touched timestamptz NOT NULL DEFAULT now(),
    removed timestamptz
);
CREATE INDEX ON helpdesk.opportunities (account, touched);
CREATE INDEX ON helpdesk.opportunities (person);
