import type { Text } from './language.ts'

export interface FieldError {
  /** Where: `body`, `query` or `header`. */
  in: 'body' | 'query' | 'header'
  /** A JSON Pointer to the field, for a missing one too; empty for the whole. */
  pointer: string
  /** For programs: stable, kebab-case. */
  code: string
  message: Text
}

/** An error that the caller caused, or should at least know about. Any other error that is thrown is a bug of ours. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly text: Text
  readonly errors: FieldError[]
  readonly headers: Record<string, string>
  /** Additional data for programs, under names of the error format of the service. */
  readonly data: Record<string, unknown>

  constructor(
    status: number,
    code: string,
    text: Text,
    more: { errors?: FieldError[]; headers?: Record<string, string>; data?: Record<string, unknown> } = {}
  ) {
    super(text.en)
    this.status = status
    this.code = code
    this.text = text
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
    this.data = more.data ?? {}
  }
}

/** A field that is invalid for a reason that no schema can check. */
export function newFieldProblem(status: 400 | 422, pointer: string, code: string, message: Text): Problem {
  return new Problem(status, code, message, { errors: [{ in: 'body', pointer, code, message }] })
}
