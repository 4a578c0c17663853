import { builder } from './builder.ts';
import './scalars.ts';
import './embed.ts';
import './embeds.ts';
import './create-embed.ts';
import './update-embed.ts';
import './delete-embed.ts';
import './refresh-page.ts';
import './embed-changed.ts';

export const schema = builder.toSchema({ sortSchema: false });
