// Informers, writes and other helpers of client-go against a server, as programs of today use them: informers that begin
// with watch lists (with lists and watches if -watch-lists=false), typed in the format of -content, dynamic in CBOR, metadata in Protobuf, and one with a selector.
// While the server is restarted (-seconds), it writes on. It fails if an informer differs from a list of the server.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/features"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	watchtools "k8s.io/client-go/tools/watch"
)

const (
	objects = 100
	selector = "third=1"
	patience = time.Minute
)

var maps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// gates has the features of client-go that the program uses; all others are off.
type gates map[features.Feature]bool

func (g gates) Enabled(feature features.Feature) bool { return g[feature] }

// watchLists counts the watches that began with the state, and those of them that were refused.
type watchLists struct {
	next              http.RoundTripper
	accepted, refused *atomic.Int64
}

func (w watchLists) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(request)
	if err == nil && request.URL.Query().Get("sendInitialEvents") == "true" {
		if response.StatusCode == http.StatusOK {
			w.accepted.Add(1)
		} else {
			w.refused.Add(1)
		}
	}
	return response, err
}

func must(err error) {
	if err != nil {
		log.Fatal("FAILED: ", err)
	}
}

func eventually(what string, holds func() bool) {
	for end := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			log.Fatal("FAILED, after a minute: ", what)
		}
	}
	fmt.Println("ok:", what)
}

type program struct {
	context   context.Context
	client    kubernetes.Interface
	namespace string
	informers map[string]cache.SharedIndexInformer
}

func (p *program) create(number int) error {
	object := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("map-%05d", number), Labels: map[string]string{"third": strconv.Itoa(number % 3)}},
		BinaryData: map[string][]byte{"bytes": {0, 1, 255}},
	}
	_, err := p.client.CoreV1().ConfigMaps(p.namespace).Create(p.context, object, metav1.CreateOptions{})
	return err
}

// sameAsList reports whether each informer has the objects of a list, in the same versions.
func (p *program) sameAsList() bool {
	list, err := p.client.CoreV1().ConfigMaps(p.namespace).List(p.context, metav1.ListOptions{})
	if err != nil {
		return false
	}
	for name, informer := range p.informers {
		wanted := map[string]string{}
		for _, item := range list.Items {
			if name != "selected" || item.Labels["third"] == "1" {
				wanted[item.Namespace+"/"+item.Name] = item.ResourceVersion
			}
		}
		if len(informer.GetStore().ListKeys()) != len(wanted) {
			return false
		}
		for key, version := range wanted {
			object, found, _ := informer.GetStore().GetByKey(key)
			if !found {
				return false
			}
			if accessor, err := meta.Accessor(object); err != nil || accessor.GetResourceVersion() != version {
				return false
			}
		}
	}
	return true
}

// churn writes until the time is over; writes fail while the server is away.
func (p *program) churn(duration time.Duration) {
	maps := p.client.CoreV1().ConfigMaps(p.namespace)
	written := 0
	for number, end := objects, time.Now().Add(duration); time.Now().Before(end); number++ {
		if p.create(number) != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		written++
		if number%5 == 0 {
			_ = maps.Delete(p.context, fmt.Sprintf("map-%05d", number-3), metav1.DeleteOptions{})
		}
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Println("ok:", written, "objects written")
}

func (p *program) apply(dynamicClient dynamic.Interface) {
	configuration := applycore.ConfigMap("applied", p.namespace).WithData(map[string]string{"key": "value"})
	applied, err := p.client.CoreV1().ConfigMaps(p.namespace).Apply(p.context, configuration, metav1.ApplyOptions{FieldManager: "program"})
	must(err)
	owned, err := applycore.ExtractConfigMap(applied, "program")
	must(err)
	object, err := dynamicClient.Resource(maps).Namespace(p.namespace).Get(p.context, "map-00000", metav1.GetOptions{})
	must(err)
	bytes := object.Object["binaryData"].(map[string]any)["bytes"]
	if owned.Data["key"] != "value" || bytes != "AAH/" {
		log.Fatal("FAILED: ", owned.Data, bytes)
	}
	_, err = p.client.CoreV1().ConfigMaps(p.namespace).Get(p.context, "none", metav1.GetOptions{})
	if !errors.IsNotFound(err) {
		log.Fatal("FAILED: ", err)
	}
	fmt.Println("ok: applied, extracted, read as bytes and as base64, and not found")
}

func (p *program) retryWatch() {
	list, err := p.client.CoreV1().ConfigMaps(p.namespace).List(p.context, metav1.ListOptions{Limit: 1})
	must(err)
	watched := func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		return p.client.CoreV1().ConfigMaps(p.namespace).Watch(ctx, options)
	}
	watcher, err := watchtools.NewRetryWatcherWithContext(p.context, list.ResourceVersion, &cache.ListWatch{WatchFuncWithContext: watched})
	must(err)
	defer watcher.Stop()
	must(p.create(99_999))
	if event := <-watcher.ResultChan(); event.Type != watch.Added {
		log.Fatal("FAILED: ", event)
	}
	fmt.Println("ok: retry watcher")
}

func (p *program) lead() {
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, p.namespace, "leader", p.client.CoreV1(), p.client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: "program"})
	must(err)
	ctx, stop := context.WithTimeout(p.context, patience)
	var led atomic.Bool
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 4 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: 500 * time.Millisecond, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { led.Store(true); stop() },
			OnStoppedLeading: func() {},
		},
	})
	eventually("leader election", led.Load)
}

func mapKinds(config *rest.Config) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	must(err)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	for _, kind := range []schema.GroupKind{{Group: "apps", Kind: "Deployment"}, {Kind: "Pod"}, {Group: "batch", Kind: "CronJob"}} {
		_, err := mapper.RESTMapping(kind)
		must(err)
	}
	fmt.Println("ok: kinds are mapped by aggregated discovery")
}

func main() {
	server := flag.String("server", "", "URL of the server")
	token := flag.String("token", "", "token of an administrator")
	authority := flag.String("ca", "", "file of its certificate authority")
	content := flag.String("content", "application/json", "media type of the typed client")
	withWatchLists := flag.Bool("watch-lists", true, "begin informers with watch lists; false: with lists and watches")
	seconds := flag.Int("seconds", 0, "how long to write while the server is restarted")
	flag.Parse()
	features.ReplaceFeatureGates(gates{features.WatchListClient: *withWatchLists, features.ClientsAllowCBOR: true, features.InOrderInformers: true})
	lists := watchLists{accepted: new(atomic.Int64), refused: new(atomic.Int64)}
	config := &rest.Config{Host: *server, BearerToken: *token, QPS: 1000, Burst: 2000}
	config.TLSClientConfig.CAFile = *authority
	config.WrapTransport = func(next http.RoundTripper) http.RoundTripper {
		return watchLists{next: next, accepted: lists.accepted, refused: lists.refused}
	}
	typed := rest.CopyConfig(config)
	typed.ContentType = *content
	typed.AcceptContentTypes = *content + ",application/json"
	client, err := kubernetes.NewForConfig(typed)
	must(err)
	dynamicClient, err := dynamic.NewForConfig(config)
	must(err)
	metadataClient, err := metadata.NewForConfig(config)
	must(err)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &program{context: ctx, client: client, namespace: fmt.Sprint("program-", time.Now().UnixNano())}
	_, err = client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.namespace}}, metav1.CreateOptions{})
	must(err)
	for number := 0; number < objects; number++ {
		for err := p.create(number); err != nil && !errors.IsAlreadyExists(err); err = p.create(number) {
			time.Sleep(50 * time.Millisecond) // The server is being restarted.
		}
	}

	all := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(p.namespace))
	selected := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(p.namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = selector }))
	dynamics := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamicClient, 0, p.namespace, nil)
	metadatas := metadatainformer.NewFilteredSharedInformerFactory(metadataClient, 0, p.namespace, nil)
	p.informers = map[string]cache.SharedIndexInformer{
		"typed":    all.Core().V1().ConfigMaps().Informer(),
		"selected": selected.Core().V1().ConfigMaps().Informer(),
		"dynamic":  dynamics.ForResource(maps).Informer(),
		"metadata": metadatas.ForResource(maps).Informer(),
	}
	for _, factory := range []interface{ Start(<-chan struct{}) }{all, selected, dynamics, metadatas} {
		factory.Start(ctx.Done())
	}
	eventually("the informers have the state", p.sameAsList)
	wanted := int64(0)
	if *withWatchLists {
		wanted = int64(len(p.informers))
	}
	if lists.accepted.Load() < wanted || (wanted == 0 && lists.accepted.Load() > 0) || lists.refused.Load() > 0 {
		log.Fatal("FAILED: watch lists: ", lists.accepted.Load(), " accepted, ", lists.refused.Load(), " refused")
	}
	if *seconds > 0 {
		p.churn(time.Duration(*seconds) * time.Second)
		eventually("the informers have the state after restarts", p.sameAsList)
		return
	}
	p.apply(dynamicClient)
	p.retryWatch()
	p.lead()
	mapKinds(config)
	fmt.Println("ok:", strings.TrimPrefix(*content, "application/"))
}
