# One image per program: docker build --target gateway .   (docs/containers.md)
# Works with BuildKit and with the older builder, with a mirror of the registry and with a base image of your own.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
ARG NPM_REGISTRY=https://registry.npmjs.org/
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY libs/contracts/package.json libs/contracts/
COPY libs/service-kit/package.json libs/service-kit/
COPY libs/telemetry/package.json libs/telemetry/
COPY gateway/package.json gateway/
COPY services/delivery/package.json services/delivery/
COPY services/package/package.json services/package/
COPY services/drone-utilization/package.json services/drone-utilization/
COPY emulators/cosmos/package.json emulators/cosmos/
COPY emulators/app-insights/package.json emulators/app-insights/
COPY loadtests/package.json loadtests/
COPY lab/package.json lab/
RUN npm ci --registry="${NPM_REGISTRY}"

FROM dependencies AS build
COPY . .
RUN npx tsc -b libs/telemetry gateway services/delivery services/package services/drone-utilization \
      emulators/cosmos emulators/app-insights lab \
  && node docker/bundle.js --out /out

FROM ${NODE_IMAGE} AS runtime
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="bottleneck-lab" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
COPY docker/healthcheck.js ./
ENV NODE_ENV=production
# A number, so that Kubernetes can tell that it is not root; nothing in the image belongs to it.
USER 10001:10001
STOPSIGNAL SIGTERM

FROM runtime AS service
ENV HOST=0.0.0.0 PORT=8080 INTERNAL_PORT=9090
EXPOSE 8080 9090
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/app/healthcheck.js", "INTERNAL_PORT", "/-/ready"]
# Telemetry loads its SDK only when a receiver is named in the environment.
ENTRYPOINT ["node", "--max-semi-space-size=4", "--import", "/app/dist/register.js", "/app/dist/main.js"]

FROM service AS gateway
LABEL org.opencontainers.image.title="bottleneck-lab gateway"
COPY --from=build /out/gateway/ /app/

FROM service AS delivery
LABEL org.opencontainers.image.title="bottleneck-lab delivery"
COPY --from=build /out/delivery/ /app/

FROM service AS package
LABEL org.opencontainers.image.title="bottleneck-lab package"
COPY --from=build /out/package/ /app/

FROM service AS drone-utilization
LABEL org.opencontainers.image.title="bottleneck-lab drone-utilization"
COPY --from=build /out/drone-utilization/ /app/

FROM runtime AS cosmos-emulator
LABEL org.opencontainers.image.title="Azure Cosmos DB stand-in"
COPY --from=build /out/cosmos-emulator/ /app/
ENV COSMOS_EMULATOR_HOST=0.0.0.0 COSMOS_EMULATOR_PORT=8081
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "/app/healthcheck.js", "COSMOS_EMULATOR_PORT", "/_emulator/health"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/dist/main.js"]

FROM runtime AS app-insights-emulator
LABEL org.opencontainers.image.title="Application Insights stand-in"
COPY --from=build /out/app-insights-emulator/ /app/
EXPOSE 4319
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "/app/healthcheck.js", "4319", "/-/ready"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["--host", "0.0.0.0", "--port", "4319"]

# Makes data, throughput and the stand-in's model, and ends: "account", or "snapshot FILE".
FROM runtime AS seed
LABEL org.opencontainers.image.title="bottleneck-lab seed"
COPY --from=build /out/seed/ /app/
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["account"]
