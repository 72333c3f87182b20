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
    // The policy of the page allows no data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    // Names, versions and texts for all libraries in the bundle. The bill of materials needs them.
    license: { fileName: 'licenses.json' },
    // In kB. The map is one chunk of that size, which its page alone loads.
    chunkSizeWarningLimit: 1_200,
  },
});
