/** Detail fields that messages may contain even if the subject itself is not public. */
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
/**
 * Returns the public representation if there is one, else the id and the public details. The event stream uses it too.
 */
export function buildPublicData(
  { subject, subjectId, details }: { subject: string; subjectId: string; details: Record<string, unknown> },
  thing: object | undefined
): object {
  if (thing !== undefined) return thing
  const known = publicDetailFields.flatMap(name => (details[name] === undefined ? [] : [[name, details[name]]]))
  const id = /^\d{1,15}$/.test(subjectId) ? Number(subjectId) : subjectId
  return { id, subject, ...Object.fromEntries(known) }
}
