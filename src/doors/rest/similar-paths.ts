/** Returns the paths that clients mean who omit the version, or write `embed`. */
export function similarRestPathsOf(pathname: string): readonly string[] {
  const plural = pathname.replace(/\/embed(?=\/|$)/, '/embeds');
  const withoutBase = plural.replace(/^(?:\/api)?(?:\/v\d+)?(?=\/|$)/, '');
  return [plural, `/v1${withoutBase || '/embeds'}`, withoutBase].filter((path) => path !== pathname && path !== '');
}
