// Ends the process with a message if this version of Node is too old. Imported first, and written so that old versions can read it:
// otherwise the first function that they lack ends it with a stack.
const [major, minor] = process.versions.node.split('.').map(Number)
// The versions of `engines` in package.json: from these on, `require` loads ES modules.
const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22

if (!isSupported) {
  console.error(
    `Kalends needs Node 20.19, 22.12 or newer (24 is recommended), and this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer one from https://nodejs.org or your distribution, then run "npm ci" or "npm install" again.'
  )
  process.exit(1)
}
