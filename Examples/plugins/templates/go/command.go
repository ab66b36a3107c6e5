// 'ifttt @NAME@' runs this program. ifttt checks the arguments against plugin.json in the same folder and passes them
// on. Stdin, stdout and stderr are the user's, and the exit status is also the exit status of ifttt. The environment
// contains IFTTT_PROFILE and IFTTT_OUTPUT (the profile and the output format), a few common variables, and those under
// "environment" in plugin.json.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	who, isLoud, hasEnded := []string{}, false, false
	for _, argument := range os.Args[1:] {
		switch {
		case !hasEnded && argument == "--":
			hasEnded = true // All arguments after it are names.
		case !hasEnded && argument == "--loud":
			isLoud = true
		default:
			who = append(who, argument)
		}
	}
	if len(who) == 0 {
		who = []string{os.Getenv("IFTTT_PROFILE")}
	}
	greeting := "Hello, " + strings.Join(who, " ") + "."
	if isLoud {
		greeting = strings.ToUpper(greeting)
	}
	fmt.Println(greeting)
}
