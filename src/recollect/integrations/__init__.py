"""Recollect behind the memory interfaces of others: one small file each, importing only what `recollect` exports."""
