enum Table {}
