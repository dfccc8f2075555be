# Kalends in a container: as an ordinary user, on a root file system that may be read-only, with all its data under /data.
#   docker build -t kalends .
#   docker buildx build --platform linux/amd64,linux/arm64 -t kalends .
# Debian and not Alpine: the PostgreSQL that Kalends brings along needs glibc.

# What is built is JavaScript, the same everywhere: it is built on the machine that builds, whatever the image is for.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

# What runs has binaries for its own processor: PostgreSQL and the library that scales images.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY --from=build /app/dist dist
# npm packages cannot hold links and rights of files; later nobody may write here. It also shows that PostgreSQL runs at all.
RUN node --input-type=module --eval "const { nativeFolder, prepareBinaries } = await import('/app/dist/platform/embedded/process.js'); console.log(await prepareBinaries(nativeFolder()))"

FROM node:24-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Kalends" \
      org.opencontainers.image.description="Donation campaigns and an events calendar for non-profits and communities" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
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
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
