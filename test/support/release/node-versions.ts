import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Installs the newest release of a major version of Node from the npm registry into a folder, and returns its program. */
export async function installNode(major: number, folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const npmArguments = ['install', `${name}@${major}`, '--prefix', folder, '--no-save', '--ignore-scripts', '--silent']
  await promisify(execFile)('npm', npmArguments)
  return join(folder, 'node_modules', name, 'bin', 'node')
}
