import { createHash } from 'node:crypto'

/** A statement, or a fragment of one: text with numbered placeholders, and their values. */
export class Sql {
  readonly text: string
  readonly values: readonly unknown[]
  private readonly prepares: boolean

  constructor(text: string, values: readonly unknown[], prepares = true) {
    this.text = text
    this.values = values
    this.prepares = prepares
  }

  /**
   * The same, planned anew for its values each time: for a statement with many variants, which would fill the server's
   * memory if each were prepared, or one whose best plan depends on the values.
   */
  unprepared(): Sql {
    return new Sql(this.text, this.values, false)
  }

  /** The name of the prepared statement in PostgreSQL: the same text has the same name in every process. */
  get name(): string {
    if (!this.prepares) return ''
    let name = names.get(this.text)
    if (name === undefined) {
      name = createHash('sha1').update(this.text).digest('base64url')
      names.set(this.text, name)
    }
    return name
  }
}

const names = new Map<string, string>()

/** SQL with its values kept separate. A value that is itself `sql` becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  // Loops instead of map and find: some statements of a request have a hundred values.
  const pieces: (string | undefined)[] = []
  const flat: unknown[] = []
  for (const value of values) {
    if (value instanceof Sql) {
      pieces.push(value.text)
      for (const inner of value.values) flat.push(inner)
    } else {
      pieces.push(undefined)
      flat.push(value)
    }
  }
  return new Sql(getText(strings, pieces), flat)
}

/** A whole number inlined into the text: for `limit`, which PostgreSQL plans far better than a parameter. */
export function toLiteral(number: number): Sql {
  if (!Number.isSafeInteger(number)) throw new Error(`Not a whole number: ${number}`)
  return new Sql(String(number), [])
}

/** Column names of the program's own. */
export function toIdentifiers(names: readonly string[]): Sql {
  for (const name of names) if (!/^[a-z_]+$/.test(name)) throw new Error(`Not a column name: ${name}`)
  return new Sql(names.join(', '), [])
}

/** Bytes as PostgreSQL reads them from text, such as a field of JSON. */
export function toByteaText(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}

/** Values in a list, for `values (…)`. */
export function joinValues(values: readonly unknown[]): Sql {
  return new Sql(values.map((_, index) => `$${index + 1}`).join(', '), values)
}

export const emptySql = new Sql('', [])

/** A template has few texts, which depend on its fragments; each text is joined once. */
interface Variant {
  pieces: (string | undefined)[]
  text: string
}

/** Limits the cached texts of a template whose fragments callers can combine in any way. */
const variantsMax = 50

const variants = new WeakMap<TemplateStringsArray, Variant[]>()

function getText(strings: TemplateStringsArray, pieces: (string | undefined)[]): string {
  let known = variants.get(strings)
  if (known === undefined) {
    known = []
    variants.set(strings, known)
  }
  for (const variant of known) if (hasPieces(variant, pieces)) return variant.text
  const text = joinPieces(strings, pieces)
  if (known.length < variantsMax) known.push({ pieces, text })
  return text
}

function hasPieces(variant: Variant, pieces: (string | undefined)[]): boolean {
  for (let index = 0; index < pieces.length; index += 1) if (variant.pieces[index] !== pieces[index]) return false
  return true
}

function joinPieces(strings: TemplateStringsArray, pieces: (string | undefined)[]): string {
  let places = 0
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) {
    if (piece === undefined) {
      places += 1
      text += `$${places}`
    } else {
      const before = places
      text += piece.replace(/\$(\d+)/g, (_, place) => {
        places = Math.max(places, before + Number(place))
        return `$${before + Number(place)}`
      })
    }
    text += strings[index + 1]
  }
  return text
}
