// CoreDNS with the plug-ins that judge what coredns-etcd writes: etcd, and what a test needs beside it.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"

	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/etcd"
)

func main() {
	dnsserver.Directives = []string{"bind", "errors", "etcd"}
	coremain.Run()
}
