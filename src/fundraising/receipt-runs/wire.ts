import type { Language } from '#platform/language.ts'
import type { RunRow } from './queries.ts'
import { type ReceiptRun, skipReasons } from './schema.ts'

export function toWire(run: RunRow, language: Language): ReceiptRun {
  const { done, total, skipped, problems, version: _version, position: _position, ...plain } = run
  return {
    ...plain,
    progress: { done, total },
    skipped: skipReasons.flatMap(reason => {
      const count = skipped[reason] ?? 0
      return count === 0 ? [] : [{ reason, count }]
    }),
    problems: problems.map(({ code, message }) => ({ code, message: message[language] }))
  }
}
