"""Everything that reads for a page, the API or a command; each says how many queries it takes."""
