# Builds the program with all build dependencies, and keeps only the runtime dependencies.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY bin bin
COPY scripts scripts
COPY adapters adapters
COPY src src
COPY dashboard dashboard
RUN npm run build && npm prune --omit=dev --no-audit --no-fund
# Tests the embedded database. This also completes its files if the install scripts did not run.
RUN DATA_DIR=/tmp/trial node bin/trunkline.mjs migrate && rm -rf /tmp/trial

FROM node:24-bookworm-slim
ARG COMMIT=unknown
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    TRUNKLINE_COMMIT=$COMMIT
WORKDIR /app
# The files belong to root, so the service can't change its own program.
COPY --from=build /app/package.json ./
COPY --from=build /app/bin bin
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# For `trunkline docs`.
COPY AGENTS.md ./
COPY docs docs
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 \
  CMD ["node", "bin/trunkline.mjs", "healthcheck"]
# Node is process 1, so it receives the signals. The service drains on SIGTERM.
STOPSIGNAL SIGTERM
CMD ["node", "bin/trunkline.mjs", "start"]
