import type { ErrorFormat } from '#platform/http/errors.ts'
import { pickByLanguage, type Text } from '#platform/language.ts'
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
      message: { en: `Missing parameter(s): ${names}`, de: `Fehlende Parameter: ${names}` }
    }
  }
  if (problem.errors.length > 0 && problem.status === 400) {
    const names = [...new Set(problem.errors.map(toParamName))].join(', ')
    return {
      code: 'rest_invalid_param',
      message: { en: `Invalid parameter(s): ${names}`, de: `Ungültige Parameter: ${names}` }
    }
  }
  const { code = problem.code, message = problem.text } = wordpressCodes[problem.code] ?? {}
  return { code, message }
}

/** The name of the parameter that a JSON pointer refers to. */
function toParamName({ pointer }: FieldError): string {
  return pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
}

const routeNotFoundText = {
  en: 'No route was found matching the URL and request method.',
  de: 'Zu dieser URL und Methode wurde keine Route gefunden.'
}

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
const wordpressCodes: Record<string, { code: string; message?: Text }> = {
  'no-such-route': { code: 'rest_no_route', message: routeNotFoundText },
  'malformed-json': {
    code: 'rest_invalid_json',
    message: { en: 'Invalid JSON body passed.', de: 'Der Inhalt ist kein JSON in UTF-8.' }
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
    message: { en: `${parameter} ${message.en}.`, de: `${parameter} ${message.de}.` }
  }))
  return new Problem(
    400,
    'invalid-input',
    {
      en: errors.map(error => error.message.en).join(' '),
      de: errors.map(error => error.message.de).join(' ')
    },
    { errors }
  )
}

export const newInvalidParamProblem = (parameter: string, code: string, message: Text) =>
  newInvalidParamsProblem([{ parameter, code, message }])

export const newBodyTooLargeProblem = () =>
  new Problem(413, 'body-too-large', {
    en: 'The request body is too large.',
    de: 'Der Inhalt der Anfrage ist zu groß.'
  })

export const newRouteNotFoundProblem = () => new Problem(404, 'rest_no_route', routeNotFoundText)

export const newNamespaceNotFoundProblem = () =>
  new Problem(404, 'rest_invalid_namespace', {
    en: 'The specified namespace could not be found.',
    de: 'Namensraum nicht gefunden.'
  })

export const newForbiddenProblem = () =>
  new Problem(403, 'rest_forbidden', {
    en: 'Sorry, you are not allowed to do that.',
    de: 'Dazu haben Sie keine Berechtigung.'
  })

/** The event names terms that do not exist, and the caller's role cannot create terms. */
export function newTermCreationForbiddenProblem(parameter: string, names: string[]): Problem {
  const list = names.slice(0, 5).map(truncate).join(', ')
  const message = {
    en: `${parameter} must name existing ones; you are not allowed to create new ones (${list}).`,
    de: `${parameter} muss vorhandene nennen: Neue dürfen Sie nicht anlegen (${list}).`
  }
  const errors = [{ in: 'body' as const, pointer: `/${parameter}`, code: 'may-not-create', message }]
  return new Problem(403, 'rest_forbidden', message, { errors })
}

/** The post types that share the publication states. */
export type PostKind = 'event' | 'venue' | 'organizer'

const postKindNames: Record<PostKind, { en: string; the: string; this: string; none: string }> = {
  event: { en: 'Event', the: 'Der Termin', this: 'Diesen Termin', none: 'keinen Termin' },
  venue: {
    en: 'Venue',
    the: 'Der Veranstaltungsort',
    this: 'Diesen Veranstaltungsort',
    none: 'keinen Veranstaltungsort'
  },
  organizer: { en: 'Organizer', the: 'Der Veranstalter', this: 'Diesen Veranstalter', none: 'keinen Veranstalter' }
}

export const newPostNotFoundProblem = (kind: PostKind, key: number | string) =>
  new Problem(404, `rest-${kind}-not-found`, {
    en: `${postKindNames[kind].en} with ${typeof key === 'number' ? `ID ${key}` : `slug ${truncate(key)}`} does not exist.`,
    de: `Es gibt ${postKindNames[kind].none} mit ${typeof key === 'number' ? `der Nummer ${key}` : `dem URL-Kürzel ${truncate(key)}`}.`
  })

/** A slug from a request may be long. */
const truncate = (slug: string) => slug.slice(0, 200).toWellFormed()

export const newPostUnavailableProblem = (kind: PostKind) =>
  new Problem(404, `${kind}-no-longer-available`, {
    en: `This ${kind} is no longer available`,
    de: `${postKindNames[kind].this} gibt es nicht mehr.`
  })

export const newPostNotAccessibleProblem = (kind: PostKind) =>
  new Problem(403, `${kind}-not-accessible`, {
    en: `The requested ${kind} is not accessible`,
    de: `${postKindNames[kind].the} ist nicht zugänglich.`
  })

export const newPasswordRequiredProblem = (kind: PostKind) =>
  new Problem(403, `${kind}-password-protected`, {
    en: `The requested ${kind} is not accessible without a password`,
    de: `${postKindNames[kind].the} ist nur mit Passwort zugänglich.`
  })

export const newAlreadyTrashedProblem = (kind: PostKind) =>
  new Problem(410, `${kind}-is-in-trash`, {
    en: `The ${kind} is already trashed`,
    de: `${postKindNames[kind].the} ist schon im Papierkorb.`
  })

export const newPageNotFoundProblem = (
  kind: PostKind | 'image' | 'file' | 'import' | 'row' | 'version' | 'run' | 'subscription' | 'suggestion'
) =>
  new Problem(404, `${kind}-archive-page-not-found`, {
    en: `The requested ${kind} archive page does not exist`,
    de: 'Diese Seite der Liste gibt es nicht.'
  })

export const newSeriesNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-series-not-found', {
    en: `Series with ID ${id} does not exist.`,
    de: `Es gibt keine Reihe mit der Nummer ${id}.`
  })

export const newTermNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-term-not-found', {
    en: `Term with ID ${id} does not exist.`,
    de: `Es gibt kein Schlagwort und keine Kategorie mit der Nummer ${id}.`
  })

export const newTermExistsProblem = (id: number, hierarchical: boolean) =>
  new Problem(
    400,
    'term_exists',
    {
      en: `A term with the name provided already exists ${hierarchical ? 'with this parent' : 'in this taxonomy'}.`,
      de: 'Dieser Name ist schon vergeben.'
    },
    { data: { term_id: id } }
  )

export const newSlugTakenProblem = (slug: string) =>
  new Problem(400, 'duplicate_term_slug', {
    en: `The slug “${slug}” is already in use by another term.`,
    de: `Das URL-Kürzel „${slug}“ ist schon vergeben.`
  })

export const newTagParentProblem = () =>
  new Problem(400, 'rest_taxonomy_not_hierarchical', {
    en: 'Cannot set parent term, taxonomy is not hierarchical.',
    de: 'Schlagwörter können nicht über- und untergeordnet werden.'
  })

export const newImageNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-image-not-found', {
    en: `Image with ID ${id} does not exist.`,
    de: `Es gibt kein Bild mit der Nummer ${id}.`
  })
