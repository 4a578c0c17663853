import './agreement.test.ts';
import './compiled.test.ts';
import './filtered-lists.test.ts';
import './graphql.test.ts';
import './json.test.ts';
import './naughty-strings.test.ts';
import './openapi.test.ts';
import './rest.test.ts';
