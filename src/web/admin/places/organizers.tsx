import type { Console } from '../console.ts'
import { organizerKind } from './place-kinds.ts'
import { placePages } from './places.tsx'

export function organizerPages(console: Console): void {
  placePages(console, organizerKind)
}
