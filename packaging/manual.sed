# Corrects a page that argument-parser wrote, for `man` and lintian.
# `man` looks for notes-watch-list, not for notes-watch.list.
/^\.Dt /s/\./-/2g
/^\.Xr /s/\./-/2g
# groff warns of empty lines.
s/^$/.Pp/
# `whatis` reads no name with spaces, and no quotes. The synopsis keeps the command as it is called.
/^\.Nm "/{
  h
  s/"//g
  s/ /-/2g
}
/^\.Nm$/{
  x
  s/^$/.Nm/
}
s/^\.Nd "\(.*\)"$/.Nd \1/
