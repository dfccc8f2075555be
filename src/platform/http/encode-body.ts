const shortLengthMax = 2048

/**
 * A long text as bytes: encoded once, for its length, its ETag and sending. Node writes a short one in one piece with
 * the headers, which is faster.
 */
export function encodeLongText(text: string): string | Buffer {
  return text.length <= shortLengthMax ? text : Buffer.from(text)
}
