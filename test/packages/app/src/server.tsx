import { renderToString } from 'react-dom/server';
import { Embeds } from './embeds';

/** Renders the embeds on a server, where the element is not defined. */
export const html: string = renderToString(
  <Embeds
    title="Meal Planner"
    embed={{
      id: '01m7y4dcyp2ad36zr4waqryvpr',
      created_at: '2026-11-21T04:04:14.422Z',
      embed_url: 'http://01m7y4dcyp2ad36zr4waqryvpr.embeds.localhost:4000/Meal-Planner',
      page_id: '95747105-f402-490e-ba51-d52e00496c1c',
      page_url: 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c',
      mode: 'user_defined',
      font: 'default',
      show_top_bar: true,
    }}
  />,
);
