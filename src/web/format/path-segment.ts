/**
 * Encodes a segment of a path. The calendar stores slugs in other scripts percent-encoded, as WordPress does: they are
 * not encoded a second time.
 */
export function encodePathSegment(text: string): string {
  return encodeURIComponent(text).replace(/%25(?=[89a-f][\da-f])/gi, '%')
}

/** Whether a segment that the router has decoded is this slug. */
export function isSlug(decoded: string | undefined, slug: string): boolean {
  return decoded !== undefined && decodeSlug(slug) === decoded
}

function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    // Not percent-encoded.
    return slug
  }
}
