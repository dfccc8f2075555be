/** What may be said of something that not everybody may read: which fields, which state, and where it belongs. */
export const publicDetailFields = [
  'campaignId',
  'amount',
  'status',
  'before',
  'changed',
  'fields',
  'language',
  'removed'
] as const
/** The thing, if everybody may read it; else what names it. The stream says the same. */
export function buildPublicData(
  { subject, subjectId, details }: { subject: string; subjectId: string; details: Record<string, unknown> },
  thing: object | undefined
): object {
  if (thing !== undefined) return thing
  const known = publicDetailFields.flatMap(name => (details[name] === undefined ? [] : [[name, details[name]]]))
  const id = /^\d{1,15}$/.test(subjectId) ? Number(subjectId) : subjectId
  return { id, subject, ...Object.fromEntries(known) }
}
