// A controller on client-go alone: elected by a Lease, a shared informer of Services, and for each
// Service an annotation (strategic merge patch), a ConfigMap (server-side apply) and an Event. Each
// line of its output is one thing that it saw. KUBECONFIG says where; SIGTERM ends it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	informers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

const (
	name       = "informer"
	namespace  = "default"
	annotation = "example.org/seen-by"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must("kubeconfig", err)
	client := kubernetes.NewForConfigOrDie(config)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	identity := fmt.Sprintf("%s-%d", name, os.Getpid())
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, name,
		client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity})
	must("lock", err)
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		ReleaseOnCancel: true,
		LeaseDuration:   4 * time.Second,
		RenewDeadline:   3 * time.Second,
		RetryPeriod:     250 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { lead(ctx, client) },
			OnStoppedLeading: func() { fmt.Println("stopped") },
		},
	})
}

func lead(ctx context.Context, client kubernetes.Interface) {
	fmt.Println("leading")
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, core.EventSource{Component: name})
	services := informers.NewServiceInformer(client, meta.NamespaceAll, 0,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	_, err := services.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			service := object.(*core.Service)
			fmt.Println("added", service.Name)
			if service.Name != "kubernetes" {
				serve(ctx, client, service)
				recorder.Eventf(service, core.EventTypeNormal, "Seen", "port %d", service.Spec.Ports[0].Port)
			}
		},
		UpdateFunc: func(_, object any) {
			service := object.(*core.Service)
			fmt.Println("updated", service.Name, service.Annotations[annotation], len(service.Spec.Ports))
		},
		DeleteFunc: func(object any) { fmt.Println("deleted", object.(*core.Service).Name) },
	})
	must("handler", err)
	go services.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), services.HasSynced) {
		return
	}
	all, err := listers.NewServiceLister(services.GetIndexer()).List(labels.Everything())
	must("lister", err)
	fmt.Println("synced", len(all))
}

// serve patches the Service and applies its ConfigMap.
func serve(ctx context.Context, client kubernetes.Interface, service *core.Service) {
	patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, annotation, name)
	_, err := client.CoreV1().Services(service.Namespace).Patch(ctx, service.Name,
		types.StrategicMergePatchType, []byte(patch), meta.PatchOptions{})
	if !errors.IsNotFound(err) {
		must("patch", err)
	}
	wanted := applycore.ConfigMap(service.Name, service.Namespace).
		WithData(map[string]string{"clusterIP": service.Spec.ClusterIP})
	_, err = client.CoreV1().ConfigMaps(service.Namespace).Apply(ctx, wanted,
		meta.ApplyOptions{FieldManager: name})
	must("apply", err)
	fmt.Println("served", service.Name)
}

func must(what string, err error) {
	if err != nil {
		fmt.Println("FAILED", what, err)
		os.Exit(1)
	}
}
