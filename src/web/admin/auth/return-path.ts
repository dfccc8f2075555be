/** Return path after sign-in: a page of the console, else its start page. Prevents open redirects. */
export function toReturnPath(next: string): string {
  // Dot segments would lead out of /admin.
  const isOwn = /^\/admin(?:[/?][\x21-\x7e]*)?$/.test(next) && !/\\|\/(?:\.|%2e)/i.test(next)
  return isOwn && !/^\/admin\/(?:sign-|setup)/.test(next) ? next : '/admin'
}
