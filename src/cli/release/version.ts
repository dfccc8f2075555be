import { version } from '#platform/version.ts'

export async function run(): Promise<void> {
  console.log(version)
}
