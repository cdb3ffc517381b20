"""``python -m assistant`` is the command ``velo``."""

from assistant.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
