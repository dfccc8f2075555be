import type { Console } from '../console.ts'
import { venueKind } from './place-kinds.ts'
import { placePages } from './places.tsx'

export function venuePages(console: Console): void {
  placePages(console, venueKind)
}
