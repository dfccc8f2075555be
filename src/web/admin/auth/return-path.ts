/** Where to go after signing in: a page of the console, or the first one. Nobody is led elsewhere by a link from outside. */
export function toReturnPath(next: string): string {
  // Dots would lead out of the console again.
  const isOwn = /^\/admin(?:[/?][\x21-\x7e]*)?$/.test(next) && !/\\|\/(?:\.|%2e)/i.test(next)
  return isOwn && !/^\/admin\/(?:sign-|setup)/.test(next) ? next : '/admin'
}
