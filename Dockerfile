# Velo as an image: `velo serve`, without root, from the locked packages. Build it with `docker compose build`, or `docker build -t velo .`.
# No secret is needed to build it, and none is in it: everything comes from the environment when it runs.

FROM python:3.12.12-slim-trixie AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
# What Velo runs on, into the environment that is kept; what builds it, into another that is not.
COPY requirements.lock requirements-serve.lock ./
RUN python -m venv /opt/velo && /opt/velo/bin/pip install --require-hashes -r requirements-serve.lock
RUN python -m venv /opt/build && /opt/build/bin/pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY assistant ./assistant
COPY audit ./audit
COPY db ./db
COPY tools ./tools
COPY veil ./veil
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . && /opt/velo/bin/pip install --no-deps /wheels/*.whl && /opt/velo/bin/pip check

FROM python:3.12.12-slim-trixie
RUN groupadd --system --gid 10001 velo && useradd --system --uid 10001 --gid velo --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin velo
COPY --from=build /opt/velo /opt/velo
ENV PATH=/opt/velo/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 VELO_HOST=0.0.0.0 VELO_PORT=8000
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['VELO_PORT']}/readyz\", timeout=4)"]
ENTRYPOINT ["velo"]
CMD ["serve"]
