/** What a part of the attack found, a line of the table at the end. */
export interface Finding {
  name: string
  measured: string
  limit: string
  passed: boolean
  /** What to look at where it did not pass, and with which seed it can be seen again. */
  faults?: string[]
}

/** How hard to try. */
export interface Effort {
  /** The same seed makes the same attempts. */
  seed: number
  /** Of each kind that is made up at random: for each operation, sequences of each model. */
  cases: number
  /** For tools that would go on for ever. */
  minutes: number
  /** Only operations whose name contains this. */
  only: string
}

export type Part = (effort: Effort) => Promise<Finding[]>

/** The parts by name, in the order in which they run; each is loaded by the process that runs it. */
export const parts: Record<string, () => Promise<Part>> = {
  patterns: async () => (await import('./patterns.ts')).patterns,
  packages: async () => (await import('./packages.ts')).packages,
  regressions: async () => (await import('./regressions.ts')).regressions,
  markup: async () => (await import('./markup.ts')).markup,
  fuzz: async () => (await import('./fuzz.ts')).fuzz,
  'model-donations': async () => (await import('./model-donations.ts')).modelOfDonations,
  'model-events': async () => (await import('./model-events.ts')).modelOfEvents,
  rights: async () => (await import('./rights.ts')).rights,
  outsider: async () => (await import('./outsider.ts')).outsider,
  'mass-assignment': async () => (await import('./mass-assignment.ts')).massAssignment,
  outbound: async () => (await import('./outbound.ts')).outbound,
  logs: async () => (await import('./logs.ts')).logs,
  'sign-in': async () => (await import('./sign-in.ts')).signIn,
  floods: async () => (await import('./floods.ts')).floodsOf,
  browser: async () => (await import('./browser.ts')).browser,
  sqlmap: async () => (await import('./sqlmap.ts')).sqlmap
}

/** A finding that passes where nothing was found. */
export function finding(name: string, measured: string, limit: string, faults: string[]): Finding {
  return { name, measured, limit, passed: faults.length === 0, ...(faults.length === 0 ? {} : { faults }) }
}

/** Something that cannot be done here is no failure, but it is said. */
export function leftOut(name: string, why: string): Finding {
  return { name, measured: `left out: ${why}`, limit: '', passed: true }
}
