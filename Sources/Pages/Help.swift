enum Help {}
