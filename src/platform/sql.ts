import { createHash } from 'node:crypto'

/** A statement, or a piece of one: text with numbered places, and the values that go there. */
export class Sql {
  readonly text: string
  readonly values: readonly unknown[]

  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }

  /** The name PostgreSQL keeps the prepared statement under: the same text has the same name in every process. */
  get name(): string {
    let name = names.get(this.text)
    if (name === undefined) {
      name = createHash('sha1').update(this.text).digest('base64url')
      names.set(this.text, name)
    }
    return name
  }
}

const names = new Map<string, string>()

/** SQL with its values kept apart. A value that is itself `sql` becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  if (!values.some(value => value instanceof Sql)) return new Sql(plainText(strings), values)

  let text = strings[0] ?? ''
  const flat: unknown[] = []
  for (const [index, value] of values.entries()) {
    if (value instanceof Sql) {
      text += value.text.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + flat.length}`)
      flat.push(...value.values)
    } else {
      flat.push(value)
      text += `$${flat.length}`
    }
    text += strings[index + 1]
  }
  return new Sql(text, flat)
}

/** A whole number written into the text: for `limit`, which PostgreSQL plans far better than a parameter. */
export function literal(number: number): Sql {
  if (!Number.isSafeInteger(number)) throw new Error(`Not a whole number: ${number}`)
  return new Sql(String(number), [])
}

export const nothing = new Sql('', [])

/** Template strings are one object per place in the program, so each text is put together once. */
const plainTexts = new WeakMap<TemplateStringsArray, string>()

function plainText(strings: TemplateStringsArray): string {
  let text = plainTexts.get(strings)
  if (text === undefined) {
    text = strings.reduce((before, after, index) => `${before}$${index}${after}`)
    plainTexts.set(strings, text)
  }
  return text
}
