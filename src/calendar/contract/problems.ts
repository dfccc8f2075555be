import type { ErrorFormat } from '#platform/http/errors.ts'
import { pickByLanguage, type Text } from '#platform/language.ts'
import { buildFieldText } from '#platform/messages/combine-texts.ts'
import { buildText, buildTexts } from '#platform/messages/messages.ts'
import { type FieldError, Problem } from '#platform/problem.ts'

/** WordPress' error format (code, message and data with the status), so that its clients understand our errors. */
export const wordpressErrorFormat: ErrorFormat = {
  contentType: 'application/json; charset=utf-8',
  schema: { name: 'Refusal', schema: buildErrorSchema() },
  translateCode: code => wordpressCodes[code]?.code ?? code,
  format: (problem, language, requestId) => {
    const missing = problem.errors.filter(error => error.code === 'required')
    const { code, message } = toWordPressError(problem, missing)
    return {
      code,
      message: pickByLanguage(message, language),
      data: {
        status: problem.status,
        ...(problem.errors.length === 0
          ? {}
          : missing.length > 0
            ? { params: missing.map(toParamName) }
            : {
                params: Object.fromEntries(
                  problem.errors.map(error => [toParamName(error), pickByLanguage(error.message, language)])
                ),
                details: Object.fromEntries(
                  problem.errors.map(error => [
                    toParamName(error),
                    {
                      code: error.code,
                      message: pickByLanguage(error.message, language),
                      data: { param: toParamName(error) }
                    }
                  ])
                )
              }),
        ...(problem.code === 'malformed-json' ? syntaxError : {}),
        ...problem.data,
        ...(problem.status >= 500 ? { request_id: requestId } : {})
      }
    }
  }
}

function toWordPressError(problem: Problem, missing: FieldError[]): { code: string; message: Text } {
  if (missing.length > 0) {
    const names = missing.map(toParamName).join(', ')
    return {
      code: 'rest_missing_callback_param',
      message: buildText('calendar-problems', 'missingParams', { names })
    }
  }
  if (problem.errors.length > 0 && problem.status === 400) {
    const names = [...new Set(problem.errors.map(toParamName))].join(', ')
    return {
      code: 'rest_invalid_param',
      message: buildText('calendar-problems', 'invalidParams', { names })
    }
  }
  const { code = problem.code, message } = wordpressCodes[problem.code] ?? {}
  return { code, message: message?.() ?? problem.text }
}

/** The name of the parameter that a JSON pointer refers to. */
function toParamName({ pointer }: FieldError): string {
  return pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
}

const buildRouteNotFoundText = () => buildText('calendar-problems', 'routeNotFound')

function buildErrorSchema(): object {
  return {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'string', description: 'For programs: stable.' },
      message: { type: 'string', description: 'For people: in the language of the request.' },
      data: {
        type: 'object',
        required: ['status'],
        properties: {
          status: { type: 'integer' },
          params: {
            type: ['array', 'object'],
            items: { type: 'string' },
            description: 'Names of missing parameters, or names and rules of invalid ones.'
          },
          details: { type: 'object', description: 'Code and message by parameter.' },
          term_id: { type: 'integer', description: 'Existing item with this name.' },
          json_error_code: { type: 'integer' },
          json_error_message: { type: 'string' },
          request_id: { type: 'string', description: 'Id for the server log, for errors of the server.' }
        }
      }
    }
  }
}

/** Problems of the platform with the error codes that WordPress clients know. */
const wordpressCodes: Record<string, { code: string; message?: () => Text }> = {
  'no-such-route': { code: 'rest_no_route', message: buildRouteNotFoundText },
  'malformed-json': {
    code: 'rest_invalid_json',
    message: () => buildText('calendar-problems', 'malformedJson')
  },
  'credentials-missing': { code: 'rest_forbidden' },
  forbidden: { code: 'rest_forbidden' },
  'bad-credentials': { code: 'incorrect_password' },
  'invalid-input': { code: 'rest_invalid_param' },
  'internal-error': { code: 'internal_server_error' }
}

/** PHP's error number and message for a JSON syntax error. */
const syntaxError = { json_error_code: 4, json_error_message: 'Syntax error' }

/** An invalid parameter, with the code and message of the error. */
export interface InvalidParam {
  parameter: string
  /** Machine-readable. */
  code: string
  message: Text
}

/** Reports all invalid parameters of a request at once. */
export function newInvalidParamsProblem(found: InvalidParam[]): Problem {
  const errors = found.map(({ parameter, code, message }) => ({
    in: 'body' as const,
    pointer: `/${parameter.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code,
    message: buildFieldText(parameter, message)
  }))
  return new Problem(
    400,
    'invalid-input',
    buildTexts(language => errors.map(error => pickByLanguage(error.message, language)).join(' ')),
    { errors }
  )
}

export const newInvalidParamProblem = (parameter: string, code: string, message: Text) =>
  newInvalidParamsProblem([{ parameter, code, message }])

export const newBodyTooLargeProblem = () =>
  new Problem(413, 'body-too-large', buildText('calendar-problems', 'bodyTooLarge'))

export const newRouteNotFoundProblem = () => new Problem(404, 'rest_no_route', buildRouteNotFoundText())

export const newNamespaceNotFoundProblem = () =>
  new Problem(404, 'rest_invalid_namespace', buildText('calendar-problems', 'namespaceNotFound'))

export const newForbiddenProblem = () => new Problem(403, 'rest_forbidden', buildText('calendar-problems', 'forbidden'))

/** The event names terms that do not exist, and the caller's role cannot create terms. */
export function newTermCreationForbiddenProblem(parameter: string, names: string[]): Problem {
  const list = names.slice(0, 5).map(truncate).join(', ')
  const message = buildText('calendar-problems', 'termCreationForbidden', { parameter, list })
  const errors = [{ in: 'body' as const, pointer: `/${parameter}`, code: 'may-not-create', message }]
  return new Problem(403, 'rest_forbidden', message, { errors })
}

/** The post types that share the publication states. */
export type PostKind = 'event' | 'venue' | 'organizer'

export const newPostNotFoundProblem = (kind: PostKind, key: number | string) =>
  new Problem(
    404,
    `rest-${kind}-not-found`,
    typeof key === 'number'
      ? buildText('calendar-problems', 'postIdNotFound', { kind, id: key })
      : buildText('calendar-problems', 'postSlugNotFound', { kind, slug: truncate(key) })
  )

/** A slug from a request may be long. */
const truncate = (slug: string) => slug.slice(0, 200).toWellFormed()

export const newPostUnavailableProblem = (kind: PostKind) =>
  new Problem(404, `${kind}-no-longer-available`, buildText('calendar-problems', 'postUnavailable', { kind }))

export const newPostNotAccessibleProblem = (kind: PostKind) =>
  new Problem(403, `${kind}-not-accessible`, buildText('calendar-problems', 'postNotAccessible', { kind }))

export const newPasswordRequiredProblem = (kind: PostKind) =>
  new Problem(403, `${kind}-password-protected`, buildText('calendar-problems', 'passwordRequired', { kind }))

export const newAlreadyTrashedProblem = (kind: PostKind) =>
  new Problem(410, `${kind}-is-in-trash`, buildText('calendar-problems', 'alreadyTrashed', { kind }))

export const newPageNotFoundProblem = (
  kind: PostKind | 'image' | 'file' | 'import' | 'row' | 'version' | 'run' | 'subscription' | 'suggestion'
) => new Problem(404, `${kind}-archive-page-not-found`, buildText('calendar-problems', 'pageNotFound', { kind }))

export const newSeriesNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-series-not-found', buildText('calendar-problems', 'seriesNotFound', { id }))

export const newTermNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-term-not-found', buildText('calendar-problems', 'termNotFound', { id }))

export const newTermExistsProblem = (id: number, hierarchical: boolean) =>
  new Problem(400, 'term_exists', buildText('calendar-problems', 'termExists', { hierarchical }), {
    data: { term_id: id }
  })

export const newSlugTakenProblem = (slug: string) =>
  new Problem(400, 'duplicate_term_slug', buildText('calendar-problems', 'slugTaken', { slug }))

export const newTagParentProblem = () =>
  new Problem(400, 'rest_taxonomy_not_hierarchical', buildText('calendar-problems', 'tagParent'))

export const newImageNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-image-not-found', buildText('calendar-problems', 'imageNotFound', { id }))
