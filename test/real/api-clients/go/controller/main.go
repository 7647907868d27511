// A controller on controller-runtime with its default settings: a manager that is elected, a cache,
// a reconciler that holds each Service by a finalizer, writes a ConfigMap for it and an Event about it,
// and one that writes the status of each DNSEntry, unstructured. KUBECONFIG says where; SIGTERM ends it.
package main

import (
	"context"
	"fmt"
	"os"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	name      = "controller"
	finalizer = "example.org/controller"
)

var entryKind = schema.GroupVersionKind{Group: "dns.gardener.cloud", Version: "v1alpha1", Kind: "DNSEntry"}

func main() {
	ctrl.SetLogger(zap.New())
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		LeaderElection:                true,
		LeaderElectionID:              name,
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		// Port 8080 is the only default that is not taken: it may belong to somebody.
		Metrics: server.Options{BindAddress: "0"},
	})
	must("manager", err)
	services := &serviceReconciler{manager.GetClient(), manager.GetEventRecorder(name)}
	must("services", ctrl.NewControllerManagedBy(manager).
		For(&core.Service{}).Owns(&core.ConfigMap{}).Complete(services))
	entry := &unstructured.Unstructured{}
	entry.SetGroupVersionKind(entryKind)
	must("entries", ctrl.NewControllerManagedBy(manager).
		For(entry).Complete(&entryReconciler{manager.GetClient()}))
	must("run", manager.Start(ctrl.SetupSignalHandler()))
	fmt.Println("ended")
}

type serviceReconciler struct {
	client   client.Client
	recorder events.EventRecorder
}

func (r *serviceReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var service core.Service
	if err := r.client.Get(ctx, request.NamespacedName, &service); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if service.Name == "kubernetes" {
		return reconcile.Result{}, nil
	}
	if !service.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(&service, finalizer)
		fmt.Println("finalized", service.Name)
		return reconcile.Result{}, client.IgnoreNotFound(r.client.Update(ctx, &service))
	}
	if controllerutil.AddFinalizer(&service, finalizer) {
		return reconcile.Result{}, r.client.Update(ctx, &service)
	}
	config := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: service.Name, Namespace: service.Namespace}}
	did, err := controllerutil.CreateOrUpdate(ctx, r.client, config, func() error {
		config.Data = map[string]string{"clusterIP": service.Spec.ClusterIP}
		return controllerutil.SetControllerReference(&service, config, r.client.Scheme())
	})
	if err == nil && did != controllerutil.OperationResultNone {
		fmt.Println("configured", service.Name, did)
		r.recorder.Eventf(&service, config, core.EventTypeNormal, "Configured", "Write", "ConfigMap %s", did)
	}
	return reconcile.Result{}, err
}

type entryReconciler struct {
	client client.Client
}

func (r *entryReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	entry := &unstructured.Unstructured{}
	entry.SetGroupVersionKind(entryKind)
	if err := r.client.Get(ctx, request.NamespacedName, entry); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	before := entry.DeepCopy()
	if err := unstructured.SetNestedField(entry.Object, "Ready", "status", "state"); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.client.Status().Patch(ctx, entry, client.MergeFrom(before))
}

func must(what string, err error) {
	if err != nil {
		fmt.Println("FAILED", what, err)
		os.Exit(1)
	}
}
