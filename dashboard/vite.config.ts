import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { offlineFiles } from './offline-files.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwindcss(), offlineFiles()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    // Lists name, version and license text of all bundled libraries, for the bill of materials.
    license: { fileName: 'licenses.json' },
    // In kB. The map is one chunk of that size, loaded only by its page.
    chunkSizeWarningLimit: 1_200,
  },
});
