# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json *.ts ./
COPY bin bin
COPY prisma prisma
COPY src src
COPY test/clients/package.json test/clients/
RUN npm ci --omit=dev
# What made the generated code is not needed to run it, nor is what people and compilers read.
RUN npm pkg delete workspaces scripts.postinstall dependencies.prisma dependencies.@graphql-codegen/core \
    dependencies.@graphql-codegen/typed-document-node dependencies.@graphql-codegen/typescript-operations \
    dependencies.vite dependencies.preact dependencies.@urql/core dependencies.@urql/preact \
    dependencies.@urql/exchange-graphcache dependencies.graphql-sse dependencies.@fontsource-variable/inter \
 && npm prune --omit=dev \
 && rm -rf src/console-app node_modules/typescript node_modules/@typescript node_modules/@types node_modules/better-sqlite3/deps \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/prisma prisma
COPY --from=build /app/src src
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATABASE_URL=file:/data/embeds.db
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/embed-gateway.js"]
