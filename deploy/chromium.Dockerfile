# The image of the gateway with Chromium, which renders pages that are built by JavaScript:
#   docker build -t embed-gateway . && docker build -t embed-gateway:chromium -f deploy/chromium.Dockerfile deploy
ARG GATEWAY=embed-gateway
FROM ${GATEWAY}
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium \
  && rm -rf /var/lib/apt/lists/*
# Docker forbids the namespaces of Chromium's own sandbox, so the container is the sandbox.
ENV RENDERER=/usr/bin/chromium RENDERER_SANDBOX=false
USER node
