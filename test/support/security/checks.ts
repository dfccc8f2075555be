/** The result of a security check, one line of the table at the end. */
export interface Finding {
  name: string
  measured: string
  limit: string
  passed: boolean
  /** Details of a failure, with the seed that reproduces it. */
  faults?: string[]
}

/** How many attempts a check makes, and which. */
export interface Effort {
  /** The same seed makes the same attempts. */
  seed: number
  /** The number of random cases: requests of each operation, and sequences of each model. */
  cases: number
  /** The time limit of tools that would run without end. */
  minutes: number
  /** Only operations whose name contains this. */
  only: string
}

export type SecurityCheck = (effort: Effort) => Promise<Finding[]>

/** The checks by name, in the order in which they run; each is loaded by the process that runs it. */
export const securityChecks: Record<string, () => Promise<SecurityCheck>> = {
  patterns: async () => (await import('../../security/patterns.ts')).checkPatterns,
  packages: async () => (await import('../../security/packages.ts')).checkPackages,
  regressions: async () => (await import('../../security/regressions.ts')).checkRegressions,
  markup: async () => (await import('../../security/markup.ts')).checkMarkup,
  fuzz: async () => (await import('../../security/fuzz.ts')).fuzz,
  'model-donations': async () => (await import('../../security/model-donations.ts')).checkDonationModel,
  'model-events': async () => (await import('../../security/model-events.ts')).checkEventModel,
  rights: async () => (await import('../../security/rights.ts')).checkRights,
  outsider: async () => (await import('../../security/outsider.ts')).checkOutsider,
  'mass-assignment': async () => (await import('../../security/mass-assignment.ts')).checkMassAssignment,
  outbound: async () => (await import('../../security/outbound.ts')).checkOutboundRequests,
  logs: async () => (await import('../../security/logs.ts')).checkLogs,
  'sign-in': async () => (await import('../../security/sign-in.ts')).checkSignIn,
  floods: async () => (await import('../../security/floods.ts')).runFloods,
  browser: async () => (await import('../../security/browser.ts')).checkBrowser,
  sqlmap: async () => (await import('../../security/sqlmap.ts')).runSqlmap
}

/** A finding that passes if there are no faults. */
export function toFinding(name: string, measured: string, limit: string, faults: string[]): Finding {
  return { name, measured, limit, passed: faults.length === 0, ...(faults.length === 0 ? {} : { faults }) }
}

/** A check that cannot run here does not fail, but is reported as skipped. */
export function toSkippedFinding(name: string, why: string): Finding {
  return { name, measured: `skipped: ${why}`, limit: '', passed: true }
}
