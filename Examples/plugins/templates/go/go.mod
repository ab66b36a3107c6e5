module ifttt-@NAME@

go 1.19
