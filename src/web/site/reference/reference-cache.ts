import { type ApiClient, ApiError } from '../../server/api-client.ts'
import { buildReference, type Reference } from './openapi-view.ts'

/** Cache duration of the document: it only changes when the services are replaced. */
const freshMs = 30_000

/** Fetches the document on first use; rebuilds the view only if it has changed. */
export function newReferenceCache(): (api: ApiClient) => Promise<Reference> {
  let known: { etag: string; reference: Reference } | undefined
  let until = 0

  return async api => {
    if (known !== undefined && Date.now() < until) return known.reference
    const { status, headers, text } = await api.raw({
      method: 'GET',
      path: '/openapi.json',
      headers: known === undefined ? {} : { 'if-none-match': known.etag }
    })
    if (status === 200) known = { etag: String(headers.etag), reference: buildReference(JSON.parse(text)) }
    else if (known === undefined) throw new ApiError(status, 'no-document', 'There is no OpenAPI document.')
    until = Date.now() + freshMs
    return known.reference
  }
}
