"""Behind `import reversis as rv`: tables, representations, lookups for scripts."""
