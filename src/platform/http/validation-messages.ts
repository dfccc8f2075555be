import type { ErrorObject } from 'ajv'
import type { Text } from '../language.ts'

const typeNames: Record<string, Text> = {
  string: { en: 'text', de: 'Text' },
  number: { en: 'a number', de: 'eine Zahl' },
  integer: { en: 'a whole number', de: 'eine ganze Zahl' },
  boolean: { en: 'true or false', de: 'true oder false' },
  object: { en: 'an object', de: 'ein Objekt' },
  array: { en: 'a list', de: 'eine Liste' },
  null: { en: 'null', de: 'null' }
}

const formatTexts: Record<string, Text> = {
  email: { en: 'must be a valid email address', de: 'muss eine gültige E-Mail-Adresse sein' },
  date: { en: 'must be a valid date', de: 'muss ein gültiges Datum sein' },
  'date-time': { en: 'must be a valid date and time', de: 'muss ein gültiger Zeitpunkt sein' },
  uuid: { en: 'must be a valid UUID', de: 'muss eine gültige UUID sein' },
  uri: { en: 'must be a valid URL', de: 'muss eine gültige URL sein' }
}

/** German for keywords that are explained in English by Ajv itself. */
const germanTexts: Record<string, (params: Record<string, unknown>) => string> = {
  pattern: () => 'hat nicht die richtige Form',
  minItems: ({ limit }) => `muss mindestens ${limit} Einträge haben`,
  maxItems: ({ limit }) => `darf höchstens ${limit} Einträge haben`,
  uniqueItems: () => 'darf keinen Eintrag doppelt enthalten',
  additionalProperties: () => 'enthält ein unbekanntes Feld',
  const: ({ allowedValue }) => `muss ${allowedValue} sein`,
  anyOf: () => 'hat keine der erlaubten Formen'
}

/** Code and message of an Ajv error, in both languages. */
export function explain({ keyword, params, message = '' }: ErrorObject): { code: string; message: Text } {
  switch (keyword) {
    case 'required':
      return { code: 'required', message: { en: 'is required', de: 'fehlt' } }
    case 'type': {
      const types = ([params.type].flat() as string[]).map(type => typeNames[type] ?? { en: type, de: type })
      const list = (language: 'en' | 'de', or: string) => types.map(type => type[language]).join(or)
      return { code: 'type', message: { en: `must be ${list('en', ' or ')}`, de: `muss ${list('de', ' oder ')} sein` } }
    }
    case 'minLength':
      return params.limit === 1
        ? { code: 'empty', message: { en: 'must not be empty', de: 'darf nicht leer sein' } }
        : {
            code: 'too-short',
            message: {
              en: `needs at least ${params.limit} characters`,
              de: `braucht mindestens ${params.limit} Zeichen`
            }
          }
    case 'maxLength':
      return {
        code: 'too-long',
        message: {
          en: `must have at most ${params.limit} characters`,
          de: `darf höchstens ${params.limit} Zeichen haben`
        }
      }
    case 'enum':
      return { code: 'not-allowed', message: describeAllowed(params.allowedValues) }
    case 'minimum':
      return {
        code: 'too-small',
        message: { en: `must be at least ${params.limit}`, de: `muss mindestens ${params.limit} sein` }
      }
    case 'maximum':
      return {
        code: 'too-large',
        message: { en: `must be at most ${params.limit}`, de: `darf höchstens ${params.limit} sein` }
      }
    case 'minProperties':
      return {
        code: 'empty',
        message: { en: 'must contain at least one field', de: 'muss mindestens ein Feld enthalten' }
      }
    case 'format':
      return {
        code: params.format,
        message: formatTexts[params.format] ?? {
          en: `must be a valid ${params.format}`,
          de: `muss gültig sein (${params.format})`
        }
      }
    default:
      if (typeof params.code === 'string') return { code: params.code, message: params.message }
      return { code: keyword, message: { en: message, de: germanTexts[keyword]?.(params) ?? message } }
  }
}

/** A longer list of allowed values, such as the actions of webhooks, is not repeated in every error. */
const allowedShownMax = 30

function describeAllowed(values: unknown[]): Text {
  const list = values.join(', ')
  if (values.length <= allowedShownMax) return { en: `must be one of ${list}`, de: `muss eines von ${list} sein` }
  const examples = values.slice(0, 3).join(', ')
  return {
    en: `must be one of the ${values.length} values in the API documentation, such as ${examples}`,
    de: `muss einer der ${values.length} Werte der API-Dokumentation sein, etwa ${examples}`
  }
}
