export function readChildCpuSeconds(): number
export function recordCpuTime(file: string, seconds: number): void
