import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Installs a version of Node from the npm registry into a folder, and returns its program. */
export async function installNode(major: number, folder: string): Promise<string> {
  const words = ['install', `node@${major}`, '--prefix', folder, '--no-save', '--ignore-scripts', '--silent']
  await promisify(execFile)('npm', words)
  const platform = `node-${process.platform === 'darwin' ? 'darwin' : process.platform}-${process.arch}`
  // The package `node` has the programs as optional packages; its install script would copy one of them.
  return join(folder, 'node_modules', platform, 'bin', 'node')
}
