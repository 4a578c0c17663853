/** Paths at which other services have their documentation, and those of this one. */
const OTHER_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:graphiql|playground)$/, '/graphql'],
  [/^\/(?:openapi|swagger)(?:\.(?:json|ya?ml))?$/, '/openapi.json'],
  [/^\/(?:swagger-ui|redoc|api-docs|reference)(?=\/|\.|$)/, '/docs'],
];

/** Returns the paths that clients mean who omit the version, write `embed`, or know other services. */
export function similarRestPathsOf(pathname: string): readonly string[] {
  const plural = pathname.replace(/\/embed(?=\/|$)/, '/embeds');
  const withoutBase = plural.replace(/^(?:\/api)?(?:\/v\d+)?(?=\/|$)/, '');
  const named = OTHER_NAMES.filter(([pattern]) => pattern.test(withoutBase)).map(([, path]) => path);
  const paths = [...named, plural, `/v1${withoutBase || '/embeds'}`, withoutBase];
  return paths.filter((path) => path !== pathname && path !== '');
}
