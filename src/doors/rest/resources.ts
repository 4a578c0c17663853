import { AUDIT_RESOURCES } from './audit.ts';
import { CHANGE_RESOURCES, EMBED_RESOURCES } from './embeds.ts';
import { PAGE_RESOURCES } from './pages.ts';
import { completeResources } from './resource.ts';
import { ACCOUNT_RESOURCES, SETTINGS_RESOURCES } from './settings.ts';
import { TOKEN_RESOURCES } from './tokens.ts';
import { ACCOUNT_VIEW_RESOURCES, VIEW_RESOURCES } from './views.ts';
import { WEBHOOK_RESOURCES } from './webhooks.ts';

export const RESOURCES = completeResources({
  ...EMBED_RESOURCES,
  ...PAGE_RESOURCES,
  ...VIEW_RESOURCES,
  ...SETTINGS_RESOURCES,
  ...CHANGE_RESOURCES,
  ...ACCOUNT_RESOURCES,
  ...ACCOUNT_VIEW_RESOURCES,
  ...TOKEN_RESOURCES,
  ...AUDIT_RESOURCES,
  ...WEBHOOK_RESOURCES,
});

export const OPERATIONS = RESOURCES.flatMap((resource) =>
  Object.entries(resource.operations).map(([method, operation]) => ({
    method,
    operation,
    path: resource.name,
    hasId: resource.name.includes('{id}'),
  })),
);
