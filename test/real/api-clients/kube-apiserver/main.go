// A kube-apiserver as it is, built by script/build-kube-apiserver: the judge of our own API in the tests. A module of
// its own, since k8s.io/kubernetes replaces its staging modules by folders that only its repository has.
package main

import (
	"os"
	_ "time/tzdata"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() { os.Exit(cli.Run(app.NewAPIServerCommand())) }
