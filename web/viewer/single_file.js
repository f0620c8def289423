// Follows the app's bindings and begin.js in the viewer that is one file: loads the app from the page itself.
async function unpack(id) {
  const packed = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers: { "content-type": "application/wasm" } });
}

await begin(async () => __wbg_init({ module_or_path: await unpack("module") }));
